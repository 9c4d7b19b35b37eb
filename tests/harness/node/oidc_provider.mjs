// oidc-provider (certified) with one client, its development pages, and back-channel logout.
// Arguments: port, callback address, logout address. Prints the issuer when it listens.
import { Provider } from "oidc-provider";

const [port, callback, logout] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "benchlab",
      client_secret: "a secret of the test, long enough",
      redirect_uris: [callback],
      backchannel_logout_uri: logout,
      backchannel_logout_session_required: true,
    },
  ],
  claims: { openid: ["sub"], profile: ["preferred_username", "groups"], email: ["email", "email_verified"] },
  features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
  pkce: { required: () => true },
  fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
  async findAccount(_context, id) {
    return {
      accountId: id,
      claims: async () => ({ sub: id, preferred_username: id, groups: ["/storage-admins", "/teams/SSD"] }),
    };
  },
});
provider.listen(Number(port), "127.0.0.1", () => console.log(JSON.stringify({ issuer })));
