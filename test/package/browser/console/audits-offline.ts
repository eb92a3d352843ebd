import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { longLog } from '../long-log.ts'

const ACTIVITIES = 10_000

/**
 * Audits an export in the console's page, with the network switched off: an honest one has no finding, and one with one changed byte has one.
 *
 * @param url  of the console
 */
export const auditsOffline = async (page: Page, url: string): Promise<void> => {
  const honest = await longLog(ACTIVITIES)
  const worker = page.waitForResponse(/\/audit-worker-[^/]+\.js$/)
  await page.goto(`${url}#/audit`)
  await (await worker).finished()
  await page.context().setOffline(true)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))

  assert.match(await outcomeOf(page, honest), /^No findings: /)
  assert.match(
    await page.locator('.report-lines').innerText(),
    `events of ${ACTIVITIES} activities\n${ACTIVITIES} stamps`,
  )
  const head = await page.locator('code.head').innerText()
  assert.is(await outcomeOf(page, honest, head), 'No findings: everything holds')

  const changed = honest.slice()
  const at = Math.floor(changed.length / 2)
  changed[at] = (changed[at] ?? 0) ^ 1
  assert.match(await outcomeOf(page, changed), /^\d+ findings$/)
  assert.ok((await page.locator('.finding').count()) > 0)
  assert.equal(requests, [])
  await page.context().setOffline(false)
}

const outcomeOf = async (page: Page, log: Uint8Array, known = ''): Promise<string> => {
  const file = { name: 'log.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(log) }
  await page.getByLabel('Export', { exact: true }).setInputFiles(file)
  await page.getByLabel('Heads and pins').fill(known)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.locator('progress').waitFor({ state: 'attached' })
  await page.locator('progress').waitFor({ state: 'detached' })
  return page.locator('.audit-status').innerText()
}
