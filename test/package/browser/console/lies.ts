/* A server that lies to those who approve: their page says so, and sends no approval. */
import type { Browser, Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { texts } from '../../../../adapters/console/page/texts.ts'
import { scene, show, signIn, somebody, type Scene, type Submitted } from './scene.ts'

/** An activity as the server answers with it, as far as the lies change it. */
type Told = {
  readonly id: string
  readonly fingerprint: string
  readonly intent: object
  readonly votes: readonly { readonly message: string }[]
}
type Lie = (honest: Told, other: Told) => object

const { activity: words } = texts

const restamped = (told: Told, change: (text: string) => string): Told => ({
  ...told,
  votes: told.votes.map((vote) => ({ ...vote, message: change(vote.message) })),
})

/** What a server says otherwise, each alone, and what the page says to that. */
const LIES: readonly (readonly [what: string, lie: Lie, says: string])[] = [
  ['the intent', (told, { intent }) => ({ ...told, intent }), words.contradicted],
  ['the text', (told) => restamped(told, (text) => text.replace('harmful', 'harmless')), words.unproven.body],
  ['the text by none', (told) => restamped(told, () => 'approve this'), words.unproven.body],
  ['the fingerprint', (told) => ({ ...told, fingerprint: `sha256:${'0'.repeat(64)}` }), words.unproven.fingerprint],
  [
    'the fingerprint by that of another',
    (told, { fingerprint }) => ({ ...told, fingerprint }),
    words.unproven.fingerprint,
  ],
  ['the type', (told) => ({ ...told, type: 'ACTIVITY_TYPE_DELETE_USER_TAGS' }), words.unproven.type],
  ['the organization', (told, { id }) => ({ ...told, organizationId: id }), words.unproven.organization],
  ['the request by that of another', (told, { intent, votes }) => ({ ...told, intent, votes }), words.unproven.body],
  ['all but the id', ({ id }, other) => ({ ...other, id }), words.unproven.id],
  ['the request by nothing', (told) => restamped(told, () => ''), words.erased],
  ['the activity', (_, other) => other, 'The server answered with another activity than the one that was asked for.'],
]

/** A server exchanges what it shows, each alone; then what it answers to a vote. Says what was verified. */
export const seesLies = async (browser: Browser): Promise<string> => {
  const stage = await scene()
  try {
    const bob = await stage.enrol('bob')
    const [harmful, harmless, ...others] = await waiting(stage)
    const { page, errors } = await somebody(browser, stage.url)
    const sent: string[] = []
    page.on(
      'request',
      (request) => void (request.url().endsWith('/submit/approve_activity') && sent.push(request.url())),
    )
    await claimsPasskey(page)
    await signIn(page, stage.url, bob)
    const tellsOf = await liar(page, stage.url)
    const other = await tellsOf(harmless.id)
    await show(page, stage.url, `activity/${harmful.id}`)
    await approvable(page)
    for (const [what, lie, says] of LIES) {
      await tellsOf(harmful.id, (told) => lie(told, other))
      await page.getByText(says).waitFor()
      await notApprovable(page, what)
    }
    assert.equal(sent, [])
    await tellsOf(harmful.id)
    await approvable(page)
    await exchangesAnswers(page, other)
    assert.is(sent.length, 1)
    await clickedTwice(page, stage, others, sent)
    assert.equal(errors, [])
    await page.unrouteAll({ behavior: 'ignoreErrors' }) // what is under way has no server any more
    await page.context().close()
    return `no approval was sent for ${LIES.length} lies, and one for two clicks`
  } finally {
    await stage.close()
  }
}

/** Requests that wait for Bob. */
const waiting = async ({ query, submit }: Scene): Promise<readonly [Submitted, Submitted, ...Submitted[]]> => {
  const { users } = (await query('list_users')) as { readonly users: readonly { readonly userId: string }[] } // as it answers
  await submit('update_root_quorum', { threshold: 2, userIds: users.map(({ userId }) => userId) })
  const asked = (userTagName: string) => submit('create_user_tag', { userTagName, userIds: [] })
  return [await asked('harmful'), await asked('harmless'), await asked('clicked'), await asked('clicked twice')]
}

/** The server says that the user has a passkey, so that the page offers to vote with it. */
const claimsPasskey = (page: Page): Promise<unknown> =>
  page.route('**/query/get_user', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { readonly user: object } // as it answers
    await route.fulfill({
      response,
      json: { ...answer, user: { ...answer.user, authenticators: [{ credentialId: 'AAAA' }] } },
    })
  })

/**
 * Stands between the page and the server.
 *
 * @returns a function that tells this lie of an activity from now on, and gives what the server says of it
 */
const liar = async (page: Page, url: string) => {
  const told = new Map<string, (honest: Told) => object>()
  await page.route('**/query/get_activity', async (route) => {
    const { activityId } = route.request().postDataJSON() as { readonly activityId: string } // as the page asks
    const response = await route.fetch()
    const { activity } = (await response.json()) as { readonly activity: Told } // as it answers
    await route.fulfill({ response, json: { activity: told.get(activityId)?.(activity) ?? activity } })
  })
  return async (id: string, lie: (honest: Told) => object = (honest) => honest): Promise<Told> => {
    told.set(id, lie)
    const answered = page.waitForResponse((response) => response.url().endsWith('/query/get_activity'))
    await show(page, url, 'inbox')
    await show(page, url, `activity/${id}`)
    return ((await (await answered).json()) as { readonly activity: Told }).activity // as it answers
  }
}

const approves = (page: Page) => page.getByRole('button', { name: words.approve })

/** Both ways to approve are offered. */
const approvable = async (page: Page): Promise<void> => {
  for (const name of [words.approve, words.approveWithPasskey])
    await page.getByRole('button', { name, exact: true, disabled: false }).waitFor()
  assert.is(await page.getByText(words.cannot).count(), 0)
}

/** No button approves, whichever way it is pressed. */
const notApprovable = async (page: Page, what: string): Promise<void> => {
  for (const button of await approves(page).all()) {
    assert.ok(await button.isDisabled(), what)
    await button.click({ force: true })
    await button.press('Enter')
  }
}

/** The server answers a vote with another activity. */
const exchangesAnswers = async (page: Page, other: Told): Promise<void> => {
  await page.route('**/submit/approve_activity', async (route) =>
    route.fulfill({ response: await route.fetch(), json: { activity: other } }),
  )
  await page.getByRole('button', { name: words.approve, exact: true }).click()
  await page.getByText(words.otherAnswer).waitFor()
  await page.unroute('**/submit/approve_activity')
}

/** Two clicks in one turn of the page are one vote, and so is a double click: it takes longer than a vote. */
const clickedTwice = async (
  page: Page,
  stage: Scene,
  tags: readonly Submitted[],
  sent: readonly string[],
): Promise<void> => {
  const ways: readonly ((button: Locator) => Promise<void>)[] = [
    (button) =>
      button.evaluate((element) => {
        element.dispatchEvent(new MouseEvent('click', { bubbles: true }))
        element.dispatchEvent(new MouseEvent('click', { bubbles: true }))
      }),
    (button) => button.dblclick({ delay: 50 }),
  ]
  await show(page, stage.url, `activity/${tags[0]?.id}`)
  const offered = page.getByRole('button', { name: words.approve, exact: true, disabled: false })
  await offered.hover()
  const before = sent.length
  await page.mouse.down({ clickCount: 2 }) // the end of a double click on what stood here before
  await page.mouse.up({ clickCount: 2 })
  await offered.waitFor()
  assert.is(sent.length, before)
  for (const [turn, click] of ways.entries()) {
    const before = sent.length
    await show(page, stage.url, `activity/${tags[turn]?.id}`)
    await click(page.getByRole('button', { name: words.approve, exact: true, disabled: false }))
    await page.locator('.status.completed').waitFor()
    assert.is(sent.length - before, 1)
  }
}
