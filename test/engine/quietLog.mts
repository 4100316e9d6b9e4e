// n8n-core logs every failure that a test provokes. It reads this when it creates its logger, so it is set before any
// import.
process.env.N8N_LOG_LEVEL = 'silent';

export {};
