// n8n-core logs each failure that a test provokes. It reads this at its import, so this module is imported first.
process.env.N8N_LOG_LEVEL = 'silent';

export {};
