// n8n-core logs every failure that a test provokes. Read when its logger is made, so it is set before any import.
process.env.N8N_LOG_LEVEL = 'silent';

export {};
