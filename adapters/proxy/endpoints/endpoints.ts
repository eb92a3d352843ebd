import { account } from './account.ts'
import { oauthLogin } from './oauth-login.ts'
import { oauth2Authenticate } from './oauth2-authenticate.ts'
import { otpInit, otpInitV2 } from './otp-init.ts'
import { otpLogin, otpLoginV2 } from './otp-login.ts'
import { otpVerify, otpVerifyV2 } from './otp-verify.ts'
import { signup, signupV2 } from './signup.ts'

/** What the proxy does for clients by requests to the API. */
export const endpoints = [
  otpInit,
  otpInitV2,
  otpVerify,
  otpVerifyV2,
  otpLogin,
  otpLoginV2,
  oauthLogin,
  oauth2Authenticate,
  signup,
  signupV2,
  account,
] as const
