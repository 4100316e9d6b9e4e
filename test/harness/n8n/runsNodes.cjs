/**
 * Hook of n8n (EXTERNAL_HOOK_FILES) that adds `POST /test/execute-node`. n8n's AI assistant runs single nodes by an
 * internal class without a route. The route accepts the request of that class.
 */
const n8n = (file) => require.main.require(file);

module.exports = {
	n8n: {
		ready: [
			async ({ app }) => {
				const { Container } = n8n('@n8n/di');
				const { UserRepository } = n8n('@n8n/db');
				const { ExecuteNodeService } = n8n('../dist/node-execution/execute-node.service.js');
				app.post('/test/execute-node', async (request, response) => {
					try {
						const where = { email: request.body.email };
						const user = await Container.get(UserRepository).findOneOrFail({
							where,
							relations: ['role'],
						});
						const result = await Container.get(ExecuteNodeService).run(user, request.body);
						response.json({ data: result });
					} catch (error) {
						response.status(500).json({ message: String(error) });
					}
				});
			},
		],
	},
};
