import { useEffect, useState } from "react";
import { ApiError, request } from "@/api/client";

const ASK_EVERY = 5_000;

export interface Live {
  /** Changes whenever an order, a note, an email, or an offer does. */
  version: string;
  /**
   * 'off' while the server can't be reached, 'failing' while it answers with errors; 'ended' when
   * no one is signed in anymore.
   */
  connection: "on" | "off" | "failing" | "ended";
}

function whyNot(failure: unknown): Live["connection"] {
  if (!(failure instanceof ApiError)) return "off";
  return failure.status === 401 ? "ended" : "failing";
}

/**
 * Asks every five seconds, while the page is visible, whether anything has changed. Continues by
 * itself when the connection is back. `initial` is the version that the page was rendered with.
 */
export function useLive(initial = ""): Live {
  const [live, setLive] = useState<Live>({ version: initial, connection: "on" });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking = false;
    const ended = new AbortController();

    async function ask() {
      clearTimeout(timer);
      if (document.visibilityState === "hidden" || asking || ended.signal.aborted) return;
      asking = true;
      try {
        const { version } = await request<{ version: string }>("/api/orders/changes", {
          signal: ended.signal,
        });
        setLive((was) =>
          was.version === version && was.connection === "on" ? was : { version, connection: "on" },
        );
      } catch (failure) {
        if (ended.signal.aborted) return;
        const connection = whyNot(failure);
        setLive((was) => (was.connection === connection ? was : { ...was, connection }));
        if (connection === "ended") return;
      } finally {
        asking = false;
      }
      timer = setTimeout(ask, ASK_EVERY);
    }

    document.addEventListener("visibilitychange", ask);
    window.addEventListener("online", ask);
    void ask();
    return () => {
      ended.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", ask);
      window.removeEventListener("online", ask);
    };
  }, []);

  return live;
}
