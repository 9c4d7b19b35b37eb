// The vendored libraries that are not modules, for editors and type checkers; no page loads this file.
interface Window {
  Plotly: any;
  Idiomorph: { morph(element: Element, html: string, options: object): void };
  htmx?: { process(element: Element): void };
  TomSelect: new (select: HTMLSelectElement, options: object) => unknown;
}
