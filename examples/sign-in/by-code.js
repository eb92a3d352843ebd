/** Signing up and in by a code that comes by e-mail, with `@turnkey/core` of 2.0 and later. */
import { encryptOtpCodeToBundle } from '@turnkey/crypto'

const otpType = 'OTP_TYPE_EMAIL'

/** What the page keeps until the person has typed the code. */
export const askForCode = async (client, contact) => ({ contact, ...(await client.initOtp({ otpType, contact })) })

/**
 * The client's `verifyOtp` and `completeOtp` trust the key of their vendor's servers alone. So the code is encrypted here, with the key of
 * ours; the rest is the client's own.
 */
export const signInByCode = async (client, url, { contact, otpId, otpEncryptionTargetBundle }, code) => {
  const publicKey = await client.createApiKeyPair()
  const ours = await verificationKey(url)
  const encryptedOtpBundle = await encryptOtpCodeToBundle(code, otpEncryptionTargetBundle, publicKey, ours)
  const { verificationToken } = await client.httpClient.proxyVerifyOtpV2({ otpId, encryptedOtpBundle })
  const account = { filterType: 'EMAIL', filterValue: contact, verificationToken }
  const { organizationId } = await client.httpClient.proxyGetAccount(account)
  if (organizationId) await client.loginWithOtp({ verificationToken, organizationId })
  else await client.signUpWithOtp({ verificationToken, contact, otpType })
}

/** The key with which the server signs what codes are encrypted to. An app that has it built in need not ask. */
const verificationKey = async (url) => {
  const { keys } = await (await fetch(`${url}/public/v1/discovery/keys`)).json()
  return keys.find(({ purpose }) => purpose === 'verification').publicKey
}
