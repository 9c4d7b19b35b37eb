// The charts of a report that is a file of its own. Paper is 680 px wide, whatever the screen is.
(() => {
  const PAPER = 680;
  const locale = document.documentElement.lang === "zh-hans" ? "zh-CN" : "en";
  const plots = [...document.querySelectorAll("[data-figure]")];
  /** @param {HTMLElement} element @param {number} width */
  const draw = (element, width) => {
    const { data, layout } = JSON.parse(document.getElementById(element.dataset.figure).textContent);
    const size = { height: Number(element.dataset.height), width };
    const quiet = { displayModeBar: false, showSendToCloud: false, plotlyServerURL: "", locale };
    return window.Plotly.react(element, data, { ...layout, ...size }, quiet);
  };
  const onScreen = () => plots.forEach((element) => draw(element, element.clientWidth));
  onScreen();
  addEventListener("beforeprint", () => plots.forEach((element) => draw(element, PAPER)));
  addEventListener("afterprint", onScreen);
  addEventListener("resize", onScreen);
})();
