/** Limit of the service in requests per second, per IP address and per company (§8). */
export const SERVICE_RATE = 15;
