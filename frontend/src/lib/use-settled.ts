import { useEffect, useState } from "react";

/** How long typing has to pause before the server is asked, in milliseconds. */
const PAUSE = 400;

/** The value, once it hasn't changed for a moment. */
export function useSettled<Value extends string | number | null>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
