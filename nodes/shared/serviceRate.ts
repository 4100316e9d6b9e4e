/** Limit of §8: 15 requests per second, per IP address and per company. */
export const SERVICE_RATE = 15;
