/**
 * Tells the page around the frame how high the specials are (apps/offers/embed.js hears it). There is
 * nothing secret in a height, so any page may hear it.
 */
if (window.parent !== window) {
  document.body.style.minHeight = "0"; // otherwise the frame could only grow
  const tell = () => {
    const fullyBookedHeight = document.body.offsetHeight;
    window.parent.postMessage({ fullyBookedHeight }, "*");
  };
  new ResizeObserver(tell).observe(document.body);
  tell();
}
