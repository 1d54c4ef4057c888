import { useMutation } from "@tanstack/react-query";
import { wordsFor } from "@/lib/failure-words";
import { showError, showSuccess } from "@/ui/toaster";
import { request } from "./client";
import type { AddedToMenu } from "./types";

const FAILED = "Failed to add dish to menu";

/** Puts a special's dish on the regular menu and says so. Repeating it adds no second one. */
export function useAddToMenu() {
  return useMutation({
    mutationFn: (offerId: string) =>
      request<AddedToMenu>("/api/dishes/add-to-menu", {
        method: "POST",
        body: { dishId: offerId },
      }),
    onSuccess: ({ message }) => showSuccess(message),
    onError: (failure) => {
      const sentence = wordsFor(failure, FAILED);
      showError(FAILED, sentence === FAILED ? undefined : sentence);
    },
  });
}
