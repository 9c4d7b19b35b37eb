// Steps of the plan form: a step is dragged by its head. The server then numbers the steps anew.

const list = document.getElementById("plan-steps");
/** @type {Element | null} */
let dragged = null;

list?.addEventListener("dragstart", (event) => {
  const head = event.target instanceof Element ? event.target.closest(".plan-step > .card-header") : null;
  dragged = head?.parentElement ?? null;
  if (!dragged || !event.dataTransfer) return;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setDragImage(dragged, 16, 16);
});

list?.addEventListener("dragover", (event) => {
  if (!dragged) return;
  event.preventDefault();
  const over = event.target instanceof Element ? event.target.closest(".plan-step") : null;
  if (!over || over === dragged) return;
  const box = over.getBoundingClientRect();
  if (event.clientY > box.top + box.height / 2) over.after(dragged);
  else over.before(dragged);
});

list?.addEventListener("dragend", () => {
  if (dragged) document.getElementById("plan-steps-order")?.click();
  dragged = null;
});
