import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { longLog } from '../long-log.ts'
import { scene, show, somebody } from './scene.ts'

const ACTIVITIES = 10_000

/**
 * Audits an export in the console's page, by somebody who is not signed in, with the network switched off: an honest one has no finding, one
 * with one changed byte has one at its line, and a head that it does not lead through is one. Says what was verified.
 */
export const auditsOffline = async (browser: Browser): Promise<string> => {
  const there = await scene()
  try {
    const { page, errors } = await somebody(browser, there.url)
    const worker = page.waitForResponse(/\/audit-worker-[^/]+\.js$/)
    await show(page, there.url, 'audit')
    await (await worker).finished()
    await page.context().setOffline(true)
    await findsOneByte(page)
    await comparesHeads(page)
    assert.equal(errors, [])
    await page.context().close()
    return `an export of ${ACTIVITIES} activities was audited without a network, which found one changed byte`
  } finally {
    await there.close()
  }
}

const findsOneByte = async (page: Page): Promise<void> => {
  const honest = await longLog(ACTIVITIES)
  await verify(page, honest)
  await page.getByText(/^[1-9][\d,]* lines read$/).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click() // which it hears meanwhile
  await says(page, 'Cancelled. Nothing is known about the log.')
  await verify(page, honest)
  await says(page, /^No findings: holds in what the log itself says/)
  const verified = await page.locator('.report-lines').innerText()
  assert.match(verified, `events of ${ACTIVITIES} activities\n${ACTIVITIES} stamps`)
  const { changed, line } = withOtherByte(honest)
  await verify(page, changed)
  await says(page, /^\d+ findings$/)
  const first = await page.locator('.finding').first().innerText()
  assert.match(first, /^EXECUTION_DIFFERS\n/)
  assert.match(first, `line ${line}, `)
}

/** Another digit in a name that was given in the middle of the log. */
const withOtherByte = (honest: Uint8Array): { readonly changed: Uint8Array; readonly line: number } => {
  const changed = Buffer.from(honest)
  const name = '"userTagName":"tag '
  const at = changed.indexOf(name, changed.length / 2) + name.length
  changed[at] = (changed[at] ?? 0) ^ 1
  return { changed, line: changed.subarray(0, at).toString().split('\n').length }
}

/** Compares a log with heads that were kept elsewhere. */
const comparesHeads = async (page: Page): Promise<void> => {
  const log = await longLog(5)
  await verify(page, log)
  await says(page, /^No findings: holds in what the log itself says/)
  const head = await page.locator('code.head').innerText()
  await verify(page, log, head)
  await says(page, /^No findings: everything holds$/)
  await verify(
    page,
    log,
    head.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
  )
  await says(page, /^1 finding$/)
  assert.match(await page.locator('.finding').innerText(), /^HEAD_/)
}

const verify = async (page: Page, log: Uint8Array, known = ''): Promise<void> => {
  const file = { name: 'log.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(log) }
  await page.getByLabel('Export', { exact: true }).setInputFiles(file)
  await page.getByLabel('Heads and pins').fill(known)
  await page.getByRole('button', { name: 'Verify' }).click()
}

/** Waits for an outcome, which has to be another one than that of the audit before. */
const says = (page: Page, outcome: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText: outcome }).waitFor()
