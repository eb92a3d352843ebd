import type { Browser } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { Client } from '../../../examples/sign-in/bundle.ts'
import { audited, exported } from '../../core/audit/logs.ts'
import type { IdentityProvider } from '../../system/conformance/identity-provider.ts'
import { secretIn } from '../../system/conformance/post.ts'
import { pageOfSomebody, says } from './chromium.ts'
import { strangersLearnNothing } from './origins.ts'
import { throughPages } from './prove.ts'
import { inShop, type Shop } from './shop.ts'

/* The page of examples/sign-in, as each of the clients makes it: people sign up and in by its buttons, and nobody becomes somebody else. */

const CLIENTS: readonly Client[] = [
  { name: 'turnkey-core-1.14', encrypts: false },
  { name: 'turnkey-core-2.0', encrypts: true },
  { name: '@turnkey/core', encrypts: true },
]

/** Signs people up and in with all clients; then pages of other origins try. Says what was verified. */
export const signsUp = async (browser: Browser, provider: IdentityProvider): Promise<string> => {
  let verified = ''
  await inShop(provider, async (shop) => {
    const pages = await Promise.all(CLIENTS.map(shop.pageWith))
    const origins = pages.map(({ origin }) => origin)
    await Promise.all(
      pages.map(async ({ origin, place }, index) => {
        const visitor = await visitorOf(shop, browser, origin)
        await peopleComeAndGo(visitor, `${index}`, place.organizationId)
        const { organizationIds } = await place.answer(place.root, 'list_suborgs')
        assert.is(JSON.stringify(organizationIds).split(',').length, 3)
        await copyDoesNothing(visitor, origins.at(index - 1) ?? '')
      }),
    )
    assert.not(shop.arrived.some(({ to }) => to.includes('ida@example.com')))
    const refusals = await strangersLearnNothing(shop, browser, origins)
    const { counts, findings } = await audited(await exported(shop.w.storage.store))
    assert.equal(findings, [])
    verified = `${CLIENTS.length} clients signed people up and in, ${refusals} calls of strangers failed, ${counts.stamps} stamps verified`
  })
  return verified
}

/** Who the page says is signed in. */
type Who = { readonly userId: string; readonly organizationId: string }

/** Somebody before the page; each way gives what the page says at the end. */
type Visitor = {
  /** Reads the mail; types a wrong code first, if there is one. */
  readonly byCode: (contact: string, wrong?: string) => Promise<string>
  readonly byProvider: (login: string) => Promise<string>
  readonly cancelsAtProvider: () => Promise<string>
  /** Begins at the provider, and comes back with a token of somebody else. */
  readonly withTokenOf: (login: string) => Promise<string>
  readonly byNewPasskey: () => Promise<string>
  readonly byPasskey: () => Promise<string>
  readonly comesAgain: () => Promise<string>
  /** Opens a copy of the page at another origin, and asks for a code there. */
  readonly asksAt: (copy: string, contact: string) => Promise<string>
  readonly leaves: () => Promise<string>
  /** Forgets all that the browser keeps, but the passkeys: these are not in it. */
  readonly forgets: () => Promise<void>
}

const visitorOf = async (shop: Shop, browser: Browser, origin: string): Promise<Visitor> => {
  const { arrived, provider } = shop
  const page = await pageOfSomebody(browser)
  const devtools = await page.context().newCDPSession(page)
  const ended = () => says(page, /^(Signed in|Not signed in|Nobody is signed in|The page cannot begin)/)
  const comesAgain = async () => {
    await page.goto(origin)
    return ended()
  }
  const clicks = async (selector: string) => {
    await page.waitForSelector(selector) // until it is visible
    await page.evaluate(`[1, 2].forEach(() => document.querySelector('${selector}').click())`) // as people do who click twice
  }
  const types = async (code: string) => {
    await page.fill('[name=code]', code)
    await clicks('#code button')
    return ended()
  }
  const atProvider = async (comesBack: () => Promise<void>) => {
    await page.context().clearCookies() // the provider would remember who it is
    await clicks('#provider')
    await page.waitForURL(`${provider.issuer}/**`)
    await comesBack()
    await page.waitForURL(`${origin}/**`)
    return ended()
  }
  const byButton = async (selector: string) => {
    await clicks(selector)
    return ended()
  }
  const asksForCode = async (contact: string) => {
    await page.fill('[name=contact]', contact)
    await clicks('#email button')
    return says(page, /^A code is|^No code was/)
  }
  assert.is(await comesAgain(), 'Nobody is signed in.')
  return {
    byCode: async (contact, wrong) => {
      assert.is(await asksForCode(contact), 'A code is on its way.')
      const code = secretIn(arrived.findLast(({ to }) => to.includes(contact)))
      if (wrong !== undefined) assert.match(await types(wrong), /^Not signed in: /)
      return types(code)
    },
    byProvider: (login) => atProvider(() => throughPages(page, login)),
    cancelsAtProvider: () => atProvider(() => page.click('text=Cancel')),
    withTokenOf: (login) =>
      atProvider(async () => {
        const token = await provider.signIn({ login, nonce: 'of another browser' })
        await page.goto(`${origin}/#id_token=${token}`)
      }),
    byNewPasskey: () => byButton('#new-passkey'),
    byPasskey: () => byButton('#passkey'),
    leaves: () => byButton('#sign-out'),
    comesAgain,
    asksAt: async (copy, contact) => {
      const settings = await (await fetch(`${origin}/settings.json`)).text()
      await page.route(`${copy}/settings.json`, (route) => route.fulfill({ body: settings }))
      await page.goto(copy)
      assert.is(await ended(), 'Nobody is signed in.')
      await page.unrouteAll() // else no preflight would leave the browser
      return asksForCode(contact)
    },
    forgets: async () => {
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
      assert.is(await comesAgain(), 'Nobody is signed in.')
    },
  }
}

const whoIn = (said: string): Who => {
  const [, userId = '', organizationId = ''] = /^Signed in: user (\S+) of organization (\S+)$/.exec(said) ?? []
  assert.ok(userId, said)
  return { userId, organizationId }
}

/** Three people of one browser, each with a way of their own: they sign up, in, and in while the session of another one is there still. */
const peopleComeAndGo = async (visitor: Visitor, mark: string, parentId: string): Promise<void> => {
  const [contact, login] = [`ada-${mark}@example.com`, `grace-${mark}`]
  const ways = [() => visitor.byCode(contact, 'AAAAAAAAA'), () => visitor.byProvider(login), visitor.byPasskey]
  const ada = whoIn(await visitor.byCode(contact))
  const grace = whoIn(await visitor.byProvider(login))
  const hedy = whoIn(await visitor.byNewPasskey())
  const people = [ada, grace, hedy]
  assert.is(new Set([parentId, ...people.map(({ organizationId }) => organizationId)]).size, 4)

  for (const [index, way] of [() => visitor.byCode(contact), ...ways.slice(1)].entries()) {
    await visitor.forgets()
    assert.equal(whoIn(await way()), people[index])
  }
  for (const [index, way] of ways.entries()) {
    assert.equal(whoIn(await way()), people[index])
    assert.equal(whoIn(await visitor.comesAgain()), people[index])
  }

  // Somebody sends a link with a token of their own, so that what is done then lands in their account.
  assert.match(await visitor.withTokenOf(login), /^Not signed in: /)
  assert.equal(whoIn(await visitor.comesAgain()), hedy)
  assert.is(await visitor.leaves(), 'Nobody is signed in.')
  assert.is(await visitor.comesAgain(), 'Nobody is signed in.')
  assert.match(await visitor.withTokenOf(login), /^Not signed in: /)
  assert.is(await visitor.comesAgain(), 'Nobody is signed in.')
  assert.match(await visitor.cancelsAtProvider(), /^Not signed in: the provider says access_denied/)
}

/** A page at another port has all that this page has. Its visitors have a passkey that the browser lets it use. */
const copyDoesNothing = async (visitor: Visitor, copy: string): Promise<void> => {
  assert.match(await visitor.asksAt(copy, 'ida@example.com'), /^No code was sent: /)
  assert.match(await visitor.byPasskey(), /^Not signed in: .*Turnkey error 16/) // so the server says
  assert.match(await visitor.byNewPasskey(), /^Not signed in: .*Failed to fetch/)
}
