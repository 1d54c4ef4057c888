function replace(image: HTMLImageElement): void {
  const plate = document.createElement("span");
  plate.className = "plate";
  plate.setAttribute("role", "img");
  plate.setAttribute("aria-label", image.alt);
  image.replaceWith(plate);
}

/** A picture that cannot be loaded, now or later, becomes the drawn plate. */
export function replaceBrokenPictures(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>(".media img")) {
    if (image.complete && image.naturalWidth === 0 && image.src) replace(image);
  }
  // Error events do not bubble, but they can be caught on the way down.
  document.addEventListener(
    "error",
    (event) => {
      if (event.target instanceof HTMLImageElement && event.target.closest(".media")) {
        replace(event.target);
      }
    },
    true,
  );
}
