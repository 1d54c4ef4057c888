import { useEffect, useState } from "react";

/** The server is asked when typing has paused this long, in milliseconds. */
const PAUSE = 400;

/** The value once it has not changed for a moment. */
export function useSettled<Value extends string | number | null>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
