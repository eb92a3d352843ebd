/** Signing up and in by a provider of OpenID Connect. */

/**
 * Sends the browser to the provider. The nonce is the hash of a key that this browser alone has: with the token that comes back, nobody else
 * can sign in.
 */
export const goToProvider = async (client, { authorizationEndpoint, clientId }) => {
  const publicKey = await client.createApiKeyPair()
  sessionStorage.setItem(SIGNS_IN, publicKey)
  const asked = {
    client_id: clientId,
    response_type: 'id_token',
    scope: 'openid email',
    redirect_uri: `${location.origin}/`,
    nonce: await sha256(publicKey),
  }
  location.assign(`${authorizationEndpoint}?${new URLSearchParams(asked)}`)
}

/** Signs in who comes back from the provider, or up, if it is the first time. A token that this browser has not asked for signs nobody in. */
export const cameFromProvider = async (client) => {
  const brought = new URLSearchParams(location.hash.slice(1))
  if (!brought.has('id_token') && !brought.has('error')) return
  const publicKey = sessionStorage.getItem(SIGNS_IN)
  sessionStorage.removeItem(SIGNS_IN)
  history.replaceState(null, '', location.pathname) // the token stays in no address
  if (publicKey === null) return
  if (brought.has('error')) throw new Error(`the provider says ${brought.get('error')}`)
  await client.completeOauth({ oidcToken: brought.get('id_token'), publicKey })
}

const SIGNS_IN = 'signs-in'

const sha256 = async (text) => {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
