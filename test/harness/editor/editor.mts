import type { Browser, Locator, Page } from 'playwright-core';

import { OWNER, type RunningN8n } from '../n8n/n8n.mts';
import { photographWorkflow, settle } from './workflowPicture.mts';

/** n8n's editor in a browser, signed in as the owner. */
export class Editor {
	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	static async open(
		browser: Browser,
		{ url }: Pick<RunningN8n, 'url'>,
		viewport: { width: number; height: number },
	): Promise<Editor> {
		const context = await browser.newContext({
			viewport,
			colorScheme: 'light',
			reducedMotion: 'reduce',
		});
		await context.addInitScript(() => localStorage.setItem('N8N_THEME', '"light"'));
		const page = await context.newPage();
		page.setDefaultTimeout(45_000);
		const editor = new Editor(page, url);
		await page.goto(`${url}/signin`);
		await page.locator('input[name="emailOrLdapLoginId"]').fill(OWNER.email);
		await page.locator('input[name="password"]').fill(OWNER.password);
		await page.getByTestId('form-submit-button').click();
		await page.waitForURL((target) => !target.pathname.includes('signin'));
		return editor;
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	async openNode(name: string): Promise<void> {
		const { page } = this;
		await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await page.getByTestId('ndv').or(page.getByTestId('node-parameters')).first().waitFor();
	}

	/** Parameter of the open node, by its name in the workflow. */
	parameter(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`);
	}

	async openList(name: string) {
		const { page } = this;
		await page.getByTestId(`resource-locator-${name}`).getByTestId('rlc-input').click();
		const entries = page.getByTestId('rlc-item').filter({ visible: true });
		await entries.first().waitFor();
		return {
			items: async () => (await entries.allInnerTexts()).map((text) => text.trim()),
			/** Filters the list; n8n queries the service again. */
			async search(words: string): Promise<void> {
				const answered = page.waitForResponse(/resource-locator-results/);
				await page.getByTestId('rlc-search').filter({ visible: true }).fill(words);
				await answered;
				await entries.first().waitFor();
			},
			async pick(position: number): Promise<void> {
				await entries.nth(position).click();
				await entries.first().waitFor({ state: 'hidden' });
			},
		};
	}

	/** Runs the open node and its predecessors, and waits for the end. */
	async execute(): Promise<void> {
		await this.page.getByTestId('node-execute-button').click();
		const items = this.output().getByTestId('run-data-schema-item');
		const table = this.output().locator('table');
		const error = this.page.getByTestId('node-error-message');
		await items.or(table).or(error).first().waitFor();
		await this.page.locator('.el-notification__closeBtn').first().click();
		await this.page.locator('.el-notification').waitFor({ state: 'hidden' });
	}

	async openCredential(): Promise<void> {
		await this.page.getByTestId('credential-edit-button').click();
		await this.page.getByTestId('editCredential-modal').waitFor();
	}

	output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	/** Saves a picture of a part of the page, by default of the whole workflow. */
	async photograph(path: string, part?: string): Promise<void> {
		if (part === undefined) return await photographWorkflow(this.page, path);
		await settle(this.page);
		await this.page.locator(part).first().screenshot({ path, animations: 'disabled' });
	}

	async close(): Promise<void> {
		await this.page.context().close();
	}
}
