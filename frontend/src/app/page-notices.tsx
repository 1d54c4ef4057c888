import { useLayoutEffect, useRef } from "react";

/** What the server's page has to say, moved under the header that the island draws. */
export function PageNotices() {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const notices = document.getElementById("page-notices");
    if (notices) place.current?.append(notices);
  }, []);
  return <div ref={place} />;
}
