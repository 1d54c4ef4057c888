interface Island<Props> {
  container: HTMLElement;
  props: Props;
}

/** Every place on the page for the island of this name, with the props that the server printed. */
export function islandsNamed<Props>(name: string): Island<Props>[] {
  const containers = document.querySelectorAll<HTMLElement>(`[data-island="${name}"]`);
  return [...containers].map((container) => {
    const source = document.getElementById(container.dataset.props ?? "");
    return { container, props: JSON.parse(source?.textContent || "{}") as Props };
  });
}
