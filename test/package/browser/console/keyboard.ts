import type { Browser, Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { longLog } from '../long-log.ts'
import { scene, somebody, usersOf, type Scene } from './scene.ts'

/** Uses each view of the console by keyboard alone. Says what was verified. */
export const usesTheKeyboard = async (browser: Browser): Promise<string> => {
  const there = await scene()
  try {
    const ada = await there.enrol('ada')
    const userId = await furnish(there)
    const { page, errors } = await somebody(browser, there.url)
    await page.goto(`${there.url}/console`)
    await page.getByRole('button', { name: 'Sign in with this key' }).waitFor()
    await skips(page)
    await signsIn(page, ada)
    await reads(page)
    await approves(page)
    await requests(page, userId)
    await filters(page)
    await audits(page)
    await presses(page, 'Sign out')
    await isAtHeading(page, 'Audit') // which needs nobody
    await page.getByRole('navigation').waitFor({ state: 'detached' })
    assert.equal(errors, [])
    await page.context().close()
    return 'each view was used by keyboard alone, from signing in to signing out'
  } finally {
    await there.close()
  }
}

/** Makes what waits for ada, and gives the id of a user. */
const furnish = async (there: Scene): Promise<string> => {
  const { submit } = there
  await submit('create_webhook_endpoint', { url: 'https://hook.invalid/countersign', name: 'books' })
  const userIds = (await usersOf(there)).map((user) => user.userId)
  await submit('update_root_quorum', { threshold: 2, userIds })
  await submit('create_user_tag', { userTagName: 'asked by root', userIds: [] })
  return userIds[0] ?? ''
}

/** The first thing that the keyboard comes to leads to the content. */
const skips = async (page: Page): Promise<void> => {
  const link = page.getByRole('link', { name: 'Skip to the content' })
  await page.keyboard.press('Tab')
  await isAt(link)
  assert.ok(((await link.boundingBox())?.x ?? -1) >= 0, 'the link is not shown')
  await page.keyboard.press('Enter')
  await isAt(page.getByRole('main'))
}

/** Presses Tab until the keyboard is there. Wherever it comes by, one sees where it is. */
const goesTo = async (page: Page, target: Locator): Promise<void> => {
  await target.waitFor()
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<readonly string[] | undefined>(FOCUSED)
    if (focused === undefined) continue // behind the last one
    assert.is(focused[1], 'solid 3px', `nobody sees the keyboard at ${focused[0]}`)
    if (await target.evaluate((element) => element.matches(':focus'))) return
  }
  assert.unreachable(`the keyboard does not come to ${target.toString()}`)
}

const PRESSES_MAX = 200
const FOCUSED = `
  (({ activeElement: element, body }) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return element === body ? undefined : [element.outerHTML.slice(0, 200), outlineStyle + ' ' + outlineWidth]
  })(document)`

const follows = async (page: Page, name: string, heading: string): Promise<void> => {
  await goesTo(page, page.getByRole('link', { name, exact: true }).first())
  await page.keyboard.press('Enter')
  await isAtHeading(page, heading)
}

const presses = async (page: Page, name: string): Promise<void> => {
  await goesTo(page, page.getByRole('button', { name, exact: true }).first())
  await page.keyboard.press('Enter')
}

const types = async (page: Page, label: string, text: string): Promise<void> => {
  await goesTo(page, page.getByLabel(label, { exact: true }))
  await page.keyboard.insertText(text)
}

const isAt = async (target: Locator): Promise<void> => {
  await target.and(target.page().locator(':focus')).waitFor()
}

/** After each change of the view, the keyboard is at its heading. */
const isAtHeading = (page: Page, name: string): Promise<void> =>
  isAt(page.getByRole('heading', { name, exact: true, level: 1 }))

const signsIn = async (page: Page, file: string): Promise<void> => {
  await types(page, 'Credentials file', 'another file')
  await presses(page, 'Sign in with this key')
  await page.getByRole('alert').waitFor()
  await isAt(page.getByRole('button', { name: 'Sign in with this key' }))
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(file)
  await presses(page, 'Sign in with this key')
  await isAtHeading(page, 'Inbox')
}

const reads = async (page: Page): Promise<void> => {
  await follows(page, 'Organization', 'Organization')
  await page.getByRole('heading', { name: 'Policies' }).waitFor()
  await follows(page, 'Webhooks', 'Webhooks')
  await follows(page, 'books', 'Webhooks')
  await presses(page, 'Test it')
  await page.getByRole('status').filter({ hasText: 'Requested:' }).waitFor()
  await isAt(page.getByRole('button', { name: 'Test it' }))
}

const approves = async (page: Page): Promise<void> => {
  await follows(page, 'Inbox', 'Inbox')
  await follows(page, 'Create user tag', 'Activity')
  await presses(page, 'Approve')
  await page
    .locator(':focus')
    .getByRole('status')
    .filter({ hasText: 'Your vote was taken: it is completed.' })
    .waitFor()
}

const requests = async (page: Page, userId: string): Promise<void> => {
  await follows(page, 'New request', 'New request')
  await types(page, 'Show operations whose name or summary has', 'create user tag')
  await follows(page, 'Create user tag', 'New request')
  await types(page, 'User tag name', 'by keyboard')
  await presses(page, 'Add an entry to User ids')
  await isAt(page.getByLabel('User ids 1', { exact: true }))
  await page.keyboard.insertText(userId)
  await presses(page, 'Show the request')
  await isAt(page.getByRole('heading', { name: 'Check the request' }))
  await presses(page, 'Stamp and send')
  await isAt(page.getByRole('heading', { name: 'The request was sent' }))
  await page.getByRole('status').filter({ hasText: 'It waits for the approval of others.' }).waitFor()
}

/** What one chooses stays where it is, because one may want to choose again. */
const filters = async (page: Page): Promise<void> => {
  await follows(page, 'Activities', 'Activities')
  const [status, type] = [page.getByLabel('Status', { exact: true }), page.getByLabel('Type', { exact: true })]
  await goesTo(page, status)
  await page.keyboard.press('ArrowDown')
  await page.waitForURL('**/console#/activities?status=waiting')
  await page.getByRole('link', { name: 'Update root quorum' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Create user tag' }).waitFor()
  await isAt(status)
  await goesTo(page, type)
  await page.keyboard.insertText('ACTIVITY_TYPE_ERASE_USER')
  await page.keyboard.press('Enter')
  await page.getByText('There are no such activities.').waitFor()
  await isAt(type)
}

const audits = async (page: Page): Promise<void> => {
  await follows(page, 'Audit', 'Audit')
  const file = page.getByLabel('Export', { exact: true })
  await goesTo(page, file)
  await file.setInputFiles({ name: 'log.jsonl', mimeType: '', buffer: Buffer.from(await longLog(3)) })
  await presses(page, 'Verify')
  await page.getByRole('status').filter({ hasText: 'No findings' }).waitFor()
  await isAt(page.getByRole('button', { name: 'Verify' }))
}
