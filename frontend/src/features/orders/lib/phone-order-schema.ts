import * as z from "zod/mini";
import { isEmail } from "@/lib/email";

const filled = (message: string) => z.refine<string>((text) => !!text.trim(), message);

/** Short numbers, such as a hotel's extension, are valid; text without a digit isn't. */
const FEWEST_DIGITS = 3;

/** An order by phone: the guest's name and number, and an email only if they want emails. */
export const phoneOrderSchema = z.object({
  offerId: z.string().check(filled("Choose a special.")),
  quantity: z
    .string()
    .check(z.refine((text) => /^\s*[1-9]\d{0,3}\s*$/.test(text), "Order at least 1 portion.")),
  customerName: z.string().check(filled("Name is required")),
  customerPhone: z.string().check(
    filled("Phone is required"),
    z.refine(
      (text) => !text.trim() || text.replace(/\D/g, "").length >= FEWEST_DIGITS,
      "Enter a phone number.",
    ),
  ),
  customerEmail: z
    .string()
    .check(z.refine((text) => !text.trim() || isEmail(text), "Valid email is required")),
  note: z
    .string()
    .check(z.refine(({ length }) => length <= 500, "Keep the note to 500 characters.")),
  slotId: z.string(),
  serviceMode: z.enum(["", "dine_in", "pickup"]),
});

export type PhoneOrderValues = z.infer<typeof phoneOrderSchema>;

export const noPhoneOrder: PhoneOrderValues = {
  offerId: "",
  quantity: "1",
  customerName: "",
  customerPhone: "",
  customerEmail: "",
  note: "",
  slotId: "",
  serviceMode: "",
};
