/* Keys of the page: two tabs, signing out, what is kept where, and what bad input is told. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { texts } from '../../../../adapters/console/page/texts.ts'
import { generateKey } from '../../../../adapters/signatures/index.ts'
import { until } from '../../../until.ts'
import { scene, signIn, somebody, type Scene } from './scene.ts'

type Credentials = { readonly [member: string]: unknown; readonly apiPublicKey: string; readonly apiPrivateKey: string }

const credentialsIn = (file: string): Credentials => JSON.parse(file) as Credentials // a credentials file

/** Two people in two tabs of one browser; then bad input. Says what was verified. */
export const keepsKeys = async (browser: Browser): Promise<string> => {
  const stage = await scene()
  try {
    const [ada, bob] = [await stage.enrol('ada'), await stage.enrol('bob')]
    const { page, errors, elsewhere } = await somebody(browser, stage.url)
    const said: string[] = []
    page.context().on('console', (message) => void said.push(message.text()))
    await refusesBadInput(browser, stage, ada)
    await keepsNothing(page, stage, ada)
    await keepsTwo(page, stage, ada, bob)
    await forgetsDeleted(page, stage)
    for (const file of [ada, bob]) assert.not.ok(said.join('\n').includes(credentialsIn(file).apiPrivateKey))
    await showsNoFrame(browser, stage)
    assert.equal([errors, elsewhere], [[], []])
    return 'keys stay in their tabs, and are told nowhere'
  } finally {
    await stage.close()
  }
}

/** What the browser stores for the page. */
const stored = (page: Page): Promise<readonly unknown[]> =>
  page.evaluate(async () => {
    const found: unknown[] = [
      ...Object.entries(localStorage),
      ...Object.entries(sessionStorage),
      document.cookie,
    ].filter(Boolean)
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open(name)
        opening.addEventListener('success', () => resolve(opening.result))
      })
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store).getAll()
        await new Promise((resolve) => all.addEventListener('success', resolve))
        found.push(...(all.result as unknown[])) // whatever is there
      }
      database.close()
    }
    return found
  })

/** Wherever a key could have been left: the document, its fields and its address. */
const written = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map((one) =>
      'value' in one ? String(one.value) : '',
    )
    return [
      document.documentElement.outerHTML,
      location.href,
      document.title,
      JSON.stringify(history.state),
      ...fields,
    ].join('\n')
  })

const signedOut = (page: Page): Promise<void> => page.getByRole('button', { name: texts.signIn.withFile }).waitFor()

const keepsNothing = async (page: Page, { url }: Scene, ada: string): Promise<void> => {
  await signIn(page, url, ada)
  const { apiPrivateKey } = credentialsIn(ada)
  assert.not.ok((await written(page)).toLowerCase().includes(apiPrivateKey.toLowerCase()))
  assert.equal(await stored(page), [])
  await page.reload()
  await signedOut(page)
}

/** The second tab signs in as somebody else, and then out. */
const keepsTwo = async (page: Page, { url }: Scene, ada: string, bob: string): Promise<void> => {
  const other = await page.context().newPage()
  await other.goto(`${url}/console`)
  await signIn(page, url, ada, true)
  assert.is((await stored(page)).length, 1)
  assert.not.ok((await written(page)).includes(credentialsIn(ada).apiPrivateKey))
  await cannotBeExported(page)
  await servesOne(page, url)
  await fillIn(other, bob, true)
  await page.getByText(texts.who.otherTab('bob')).waitFor()
  await page.getByText('ada,').waitFor()
  assert.is(await keyOfNextRequest(page), credentialsIn(ada).apiPublicKey)
  assert.is(await keyOfNextRequest(other), credentialsIn(bob).apiPublicKey)
  await page.reload()
  await page.getByText('bob,').waitFor()
  assert.is(await keyOfNextRequest(page), credentialsIn(bob).apiPublicKey)
  await other.getByRole('button', { name: texts.who.signOut }).click()
  await page.getByText(texts.who.outElsewhere).waitFor()
  for (const one of [page, other]) {
    await signedOut(one)
    assert.equal(await stored(one), [])
    await one.reload()
    await signedOut(one)
  }
  await other.close()
}

const fillIn = async (page: Page, file: string, isKept = false): Promise<void> => {
  if (isKept) await page.getByLabel(texts.signIn.keep).check()
  await page.getByLabel(texts.signIn.file).fill(file)
  await page.getByRole('button', { name: texts.signIn.withFile }).click()
}

/** The kept key stamps for the server that it was kept for, whatever an address names. */
const servesOne = async (page: Page, url: string): Promise<void> => {
  const led = await page.context().newPage()
  await led.goto(`${url}/console?server=https://elsewhere.example`)
  await led.getByText(texts.otherServer('https://elsewhere.example')).waitFor()
  await signedOut(led)
  for (const named of ['javascript:1', '//elsewhere.example', url.replace('//', '//ada:secret@')]) {
    await led.goto(`${url}/console?server=${encodeURIComponent(named)}`)
    await led.getByText(texts.noServer).waitFor()
  }
  await led.close()
}

/** The inbox asks every two seconds. */
const keyOfNextRequest = async (page: Page): Promise<unknown> => {
  const request = await page.waitForRequest(/\/query\/list_activities$/)
  const stamp = Buffer.from((await request.headerValue('X-Stamp')) ?? '', 'base64url').toString()
  return (JSON.parse(stamp) as { readonly publicKey: unknown }).publicKey // a stamp
}

const cannotBeExported = async (page: Page): Promise<void> => {
  const tries = await page.evaluate(async () => {
    const opening = indexedDB.open('countersign')
    await new Promise((resolve) => opening.addEventListener('success', resolve))
    const all = opening.result.transaction('keys').objectStore('keys').getAll()
    await new Promise((resolve) => all.addEventListener('success', resolve))
    opening.result.close()
    const [{ held }] = all.result as [{ held: CryptoKey }] // as the page keeps it
    const formats = ['pkcs8', 'jwk', 'raw'] as const
    const exports = formats.map((format) =>
      crypto.subtle
        .exportKey(format, held)
        .then(String, (error: unknown) => (error instanceof Error ? error.name : '?')),
    )
    return { type: held.type, usages: held.usages, exports: await Promise.all(exports) }
  })
  const exports = Array.from({ length: 3 }, () => 'InvalidAccessError')
  assert.equal(tries, { type: 'private', usages: ['sign'], exports })
}

/** Somebody is kept whose user was deleted meanwhile. */
const forgetsDeleted = async (page: Page, { url, enrol, query, submit }: Scene): Promise<void> => {
  await signIn(page, url, await enrol('cara'), true)
  const { users } = (await query('list_users')) as { readonly users: readonly { userId: string; userName: string }[] } // as it answers
  const userIds = users.flatMap(({ userId, userName }) => (userName === 'cara' ? [userId] : []))
  await submit('delete_users', { userIds })
  await page.reload()
  await page.getByText(texts.signIn.kept).waitFor()
  await page.getByText(texts.advice['PUBLIC_KEY_NOT_FOUND'] ?? '').waitFor()
  await page.getByRole('button', { name: texts.signIn.forget }).click()
  await page.getByText(texts.signIn.kept).waitFor({ state: 'hidden' })
  assert.equal(await stored(page), [])
}

/** Each is told in a sentence beside the field, which has nothing of the key. */
const refusesBadInput = async (browser: Browser, { url }: Scene, file: string): Promise<void> => {
  const { page } = await somebody(browser, url)
  const ada = credentialsIn(file)
  const { organizationId, ...homeless } = ada
  const { privateKey: apiPrivateKey } = generateKey('API_KEY_CURVE_P256')
  const { signIn: says, advice } = texts
  const wrong: readonly (readonly [text: string, says: string])[] = [
    [`my key is ${ada.apiPrivateKey}`, says.noJson],
    [file.slice(0, -9), says.noJson],
    [JSON.stringify([ada.apiPrivateKey]), says.noCredentials],
    [JSON.stringify({ ...ada, userId: ada.apiPrivateKey }), says.noCredentials],
    [JSON.stringify({ ...ada, apiPrivateKey }), says.otherKey],
    [JSON.stringify({ ...ada, apiPrivateKey: ada.apiPrivateKey.slice(2) }), says.noKey],
    [JSON.stringify({ ...ada, apiPrivateKey: `${ada.apiPrivateKey.slice(2)}zz` }), says.noKey],
    [JSON.stringify(homeless), says.noOrganization],
    [
      JSON.stringify({ ...ada, organizationId: organizationId && ORGANIZATION }),
      advice['ORGANIZATION_NOT_FOUND'] ?? '',
    ],
  ]
  await page.goto(`${url}/console`)
  const refused = async (text: string, says: string | RegExp): Promise<void> => {
    await fillIn(page, text)
    const field = page.getByLabel(texts.signIn.file)
    const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ').map((id) => `#${id} .error`)
    const error = page.locator(ids.join(', ')).filter({ hasText: says })
    await error.waitFor()
    const told = await page.locator('main').innerText()
    for (const key of [ada.apiPrivateKey, apiPrivateKey]) assert.not.ok(told.includes(key.slice(2, 18)), told)
    assert.is(await page.locator('.error').count(), 1)
  }
  for (const [text, says] of wrong) await refused(text, says)
  await page.route('**/query/whoami', (route) => route.abort())
  await refused(file, advice['UNAVAILABLE'] ?? '')
  await page.unroute('**/query/whoami')
  const now = Date.now()
  for (const [minutes, way] of [
    [10, 'ahead of'],
    [-10, 'behind'],
  ] as const) {
    await page.clock.setFixedTime(now + minutes * 60_000)
    await refused(file, new RegExp(`10 minutes ${way} the server`))
  }
  await page.context().close()
}

const ORGANIZATION = '3b241101-e2bb-4255-8caf-4136c566a962'

/** A page of another origin frames the console, and gets nothing. */
const showsNoFrame = async (browser: Browser, { url }: Scene): Promise<void> => {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(`<iframe src="${url}/console"></iframe>`)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    const { port } = server.address() as AddressInfo // it listens on a port
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    assert.is(await until(() => page.frames()[1]?.url() || undefined), 'chrome-error://chromewebdata/')
    await context.close()
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
