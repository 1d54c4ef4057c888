import { useLayoutEffect, useRef } from "react";

/** The notices of the server's page, moved below the header that the island renders. */
export function PageNotices() {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const notices = document.getElementById("page-notices");
    if (notices) place.current?.append(notices);
  }, []);
  return <div ref={place} />;
}
