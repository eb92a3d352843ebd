/** Signing up and in by a code that comes by e-mail, with `@turnkey/core` before 2.0: the proxy gets the code as it was typed. */
const otpType = 'OTP_TYPE_EMAIL'

export const askForCode = async (client, contact) => ({ contact, otpId: await client.initOtp({ otpType, contact }) })

export const signInByCode = (client, url, { contact, otpId }, otpCode) =>
  client.completeOtp({ otpId, otpCode, contact, otpType })
