/** How a special, or an order of one, is eaten, as the restaurant's team reads it. */
export const serviceModes: Record<string, string> = {
  both: "Dine in or pickup",
  dine_in: "Dine in",
  pickup: "Pickup",
};
