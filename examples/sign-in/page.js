/**
 * A page that signs people up and in through the auth proxy. It has no backend: `GET /settings.json` says where the server and the proxy are,
 * and is no secret. Whoever is new gets an organization of their own; the session stays in the browser.
 */
import { TurnkeyClient } from '@turnkey/core'
import { askForCode, signInByCode } from './by-code.js' // with a client before 2.0: './by-code-1.js'
import { goToProvider, cameFromProvider } from './by-provider.js'

const element = (id) => document.getElementById(id)
const say = (text) => (element('said').textContent = text)

/** What a person starts, and who they are then. */
const signing = async (client, work) => {
  say('…')
  try {
    await work()
    const session = await client.getSession()
    if (session === undefined) return say('Nobody is signed in.')
    const { organizationId, userId } = await client.httpClient.getWhoami({ organizationId: session.organizationId })
    say(`Signed in: user ${userId} of organization ${organizationId}`)
  } catch (error) {
    say(`Not signed in: ${reasonOf(error)}`)
  }
}

const reasonOf = (error) => `${error.message}: ${error.cause?.message ?? error.cause ?? ''}`

/** One thing at a time: who clicks twice begins nothing twice. */
const alone = (work) => async (event) => {
  event.preventDefault()
  if (isBusy) return
  isBusy = true
  try {
    await work(event)
  } finally {
    isBusy = false
  }
}
let isBusy = false

const begin = async () => {
  const settings = await (await fetch('/settings.json')).json()
  const { url, proxyUrl, organizationId, provider } = settings
  const client = new TurnkeyClient({
    organizationId,
    apiBaseUrl: url,
    authProxyUrl: proxyUrl,
    authProxyConfigId: organizationId, // they are the same
    passkeyConfig: { rpId: location.hostname },
  })
  await client.init()

  let asked
  element('email').onsubmit = alone(async (event) => {
    try {
      asked = await askForCode(client, event.target.contact.value)
      element('code').hidden = false
      say('A code is on its way.')
    } catch (error) {
      say(`No code was sent: ${reasonOf(error)}`)
    }
  })
  element('code').onsubmit = alone((event) =>
    signing(client, () => signInByCode(client, url, asked, event.target.code.value)),
  )
  element('new-passkey').onclick = alone(() =>
    signing(client, () => client.signUpWithPasskey({ passkeyDisplayName: 'me' })),
  )
  element('passkey').onclick = alone(() => signing(client, () => client.loginWithPasskey()))
  element('provider').hidden = provider === undefined
  element('provider').onclick = alone(() => goToProvider(client, provider))
  element('sign-out').onclick = alone(() => signing(client, () => client.logout()))
  await signing(client, () => cameFromProvider(client))
  element('ways').hidden = false // before, a form would go to this page's own server, with the address in its URL
}

begin().catch((error) => say(`The page cannot begin: ${error.message}`))
