// oauth2-mock-server with claims that the test sets: POST /__claims with {"id": {...}, "userinfo": {...}}.
// A claim of null is deleted. Prints the issuer when it listens.
import { createServer } from "node:http";
import { OAuth2Server } from "oauth2-mock-server";

const server = new OAuth2Server();
await server.issuer.keys.generate("RS256");
let claims = { id: {}, userinfo: {} };

function change(target, changes) {
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete target[name];
    else target[name] = value;
  }
}

server.service.on("beforeTokenSigning", (token) => change(token.payload, claims.id));
server.service.on("beforeUserinfo", (response) => {
  response.body = { sub: claims.id.sub ?? "johndoe", ...claims.userinfo };
});
await server.start(0, "127.0.0.1");

const control = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    claims = JSON.parse(body);
    response.end("{}");
  });
});
control.listen(0, "127.0.0.1", () => {
  const port = control.address().port;
  console.log(JSON.stringify({ issuer: server.issuer.url, control: `http://127.0.0.1:${port}/` }));
});
