/* All views of the console, one after the other, with something in each of them. */
import type { Page } from 'playwright-core'
import { encodeUtf8 } from '../../../../core/bytes.ts'
import { longLog } from '../long-log.ts'
import { show, signIn, usersOf, type Scene } from './scene.ts'

/** A view, and what brings a page there from the stop before. */
export type Stop = { readonly name: string; readonly go: (page: Page) => Promise<void> }

/** Ids of activities. */
type Told = { readonly over: string; readonly erased: string }

/** Makes what the views show, by the root user. The inbox of ada stays empty. */
const furnish = async (scene: Scene): Promise<Told> => {
  const { enrol, submit, erase } = scene
  await enrol('eve')
  const eve = (await usersOf(scene)).filter(({ userName }) => userName === 'eve').map(({ userId }) => userId)
  const [asked] = await activitiesOf(scene)
  await submit('delete_users', { userIds: eve })
  for (const userId of eve) await erase(userId)
  const over = await submit('create_user_tag', { userTagName: 'treasury', userIds: [] })
  const effect = 'EFFECT_ALLOW'
  const [consensus, condition] = ['approvers.count() >= 2', "activity.resource == 'USER_TAG'"]
  await submit('create_policy', { policyName: 'Two for tags', effect, consensus, condition, notes: '' })
  const subscriptions = [{ eventType: 'ACTIVITY_UPDATES' }]
  await submit('create_webhook_endpoint', { url: 'https://hook.invalid/countersign', name: 'books', subscriptions })
  return { over: over.id, erased: asked?.id ?? '' }
}

type Activities = { readonly activities: readonly { readonly id: string }[] }

const activitiesOf = async ({ query }: Scene): Promise<Activities['activities']> =>
  ((await query('list_activities')) as Activities).activities // as it answers

/** The stops of somebody who is not signed in yet, and then is ada. */
export const stopsIn = async (scene: Scene): Promise<readonly Stop[]> => {
  const ada = await scene.enrol('ada')
  const told = await furnish(scene)
  const { url } = scene
  const at = (name: string, view: string, text: string | RegExp): Stop => ({
    name,
    go: async (page) => {
      await show(page, url, view)
      await page.getByText(text).first().waitFor()
    },
  })
  return [
    { name: 'audit-idle', go: (page) => show(page, url, 'audit') },
    {
      name: 'sign-in',
      go: async (page) => {
        await show(page, url, 'inbox')
        await page.getByText('Sign in with a passkey').waitFor()
      },
    },
    { name: 'refused', go: (page) => refused(page) },
    {
      name: 'inbox-empty',
      go: async (page) => {
        await signIn(page, url, ada)
        await page.getByText('Nothing waits.').waitFor()
      },
    },
    { name: 'inbox', go: (page) => waits(page, scene) },
    at('activities', 'activities', 'Create webhook endpoint'),
    at('activities-filtered', 'activities?status=completed&type=ACTIVITY_TYPE_ERASE_USER', 'Erase user'),
    { name: 'activity-waiting', go: (page) => opensOneOfInbox(page, url) },
    at('activity-over', `activity/${told.over}`, 'stamp verified by this page'),
    at('activity-erased', `activity/${told.erased}`, 'stamp not verified'),
    at('organization', 'organization', 'Two for tags'),
    at('webhooks', 'webhooks', 'books'),
    { name: 'webhook', go: (page) => opensEndpoint(page) },
    at('request-list', 'request', 'operations'),
    { name: 'request-form', go: (page) => fillsUsers(page, url) },
    { name: 'request-wrong', go: (page) => page.getByRole('button', { name: 'Show the request' }).click() },
    { name: 'request-body', go: (page) => showsBody(page) },
    { name: 'audit-found', go: (page) => audits(page, url, true) },
    { name: 'audit-clean', go: (page) => audits(page, url, false) },
  ]
}

const refused = async (page: Page): Promise<void> => {
  await page.getByLabel('Credentials file').fill('not a file')
  await page.getByRole('button', { name: 'Sign in with this key' }).click()
  await page.getByRole('alert').waitFor()
}

/** From now on, what root asks for waits for ada, and the other way round. */
const waits = async (page: Page, scene: Scene): Promise<void> => {
  const { submit, url } = scene
  const userIds = (await usersOf(scene)).map(({ userId }) => userId)
  await submit('update_root_quorum', { threshold: 2, userIds })
  await submit('create_user_tag', { userTagName: 'asked by root', userIds: [] })
  await show(page, url, 'request/create_user_tag')
  await page.getByRole('button', { name: 'Write JSON' }).click()
  await page.getByLabel('Parameters').fill('{"userTagName": "asked by ada", "userIds": []}')
  await page.getByRole('button', { name: 'Show the request' }).click()
  await page.getByRole('button', { name: 'Stamp and send' }).click()
  await page.getByText('The request was sent').waitFor()
  await show(page, url, 'inbox')
  await page.getByText('Waits for you').waitFor()
  await page.getByText('Waits for others').waitFor()
}

const opensOneOfInbox = async (page: Page, url: string): Promise<void> => {
  await show(page, url, 'inbox')
  await page.getByRole('link', { name: 'Create user tag' }).first().click()
  await page.getByText('What is missing').waitFor()
  await page.getByText('stamp verified').waitFor()
}

const opensEndpoint = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'books' }).click()
  await page.getByRole('button', { name: 'Test it' }).click()
  await page.getByText('Requested:').waitFor()
  await page.getByRole('button', { name: 'Send again' }).first().waitFor()
  await page.getByRole('list', { name: 'Attempts' }).first().waitFor()
}

const fillsUsers = async (page: Page, url: string): Promise<void> => {
  await show(page, url, 'request/create_users')
  for (const list of ['Api keys', 'Authenticators', 'User tags'])
    await page.getByRole('button', { name: `Add an entry to ${list}` }).click()
}

const showsBody = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Write JSON' }).click()
  await page.getByLabel('Parameters').fill('{"users": []}')
  await page.getByRole('button', { name: 'Show the request' }).click()
  await page.getByRole('button', { name: 'Stamp and send' }).waitFor()
}

const audits = async (page: Page, url: string, isWrong: boolean): Promise<void> => {
  await show(page, url, 'audit')
  const text = new TextDecoder().decode(await longLog(4))
  const buffer = Buffer.from(encodeUtf8(isWrong ? text.replace('ALLOWED', 'DENIED') : text))
  await page.getByLabel('Export', { exact: true }).setInputFiles({ name: 'log.jsonl', mimeType: '', buffer })
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('heading', { name: isWrong ? 'Findings' : 'What was verified' }).waitFor()
}
