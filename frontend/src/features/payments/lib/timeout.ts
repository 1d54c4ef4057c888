/** How long a request for a setup link may take, in milliseconds. */
export const ONBOARDING_TIMEOUT = 30_000;

/** The request took too long and was aborted; the link it made, if any, was never opened. */
export class TimedOut extends Error {
  override name = "TimedOut";
}

export async function within<Result>(
  milliseconds: number,
  call: (signal: AbortSignal) => Promise<Result>,
) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), milliseconds);
  try {
    return await call(stop.signal);
  } catch (failure) {
    throw stop.signal.aborted ? new TimedOut() : failure;
  } finally {
    clearTimeout(timer);
  }
}
