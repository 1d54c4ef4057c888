import { ApiError } from "@/api/client";
import { BotCheckProblem, botCheckToken, type FormGuard } from "@/lib/bot-check";

/** What a repeated request contains to show that a person sent it. */
export interface BotProof {
  hcaptchaToken?: string;
  startedAt?: string;
}

/** The server's clock starts before its answer arrives. */
const ON_ITS_WAY = 500;

/**
 * Sends a request, and once more with a passed bot check if the server asks for one, which it does
 * only while many orders are being started.
 */
export async function withBotCheck<Value>(
  send: (proof: BotProof) => Promise<Value>,
): Promise<Value> {
  try {
    return await send({});
  } catch (failure) {
    const guard = failure instanceof ApiError ? guardOf(failure.body) : null;
    if (!guard) throw failure;
    const wait = new Promise((resolve) => {
      setTimeout(resolve, guard.minimumSeconds * 1000 + ON_ITS_WAY);
    });
    const hcaptchaToken = await botCheckToken(guard);
    await wait;
    return send({ hcaptchaToken, startedAt: guard.startedAt });
  }
}

/** The sentence for a check that could not be passed; undefined for any other failure. */
export function botCheckSentence(failure: unknown): string | undefined {
  return failure instanceof BotCheckProblem ? failure.message : undefined;
}

function guardOf(body: unknown): FormGuard | null {
  const guard = (body as { botCheck?: FormGuard } | undefined)?.botCheck;
  return guard && typeof guard.startedAt === "string" ? guard : null;
}
