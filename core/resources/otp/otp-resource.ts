import { resource } from '../../definition/resource.ts'
import { initOtp } from './init-otp.ts'
import { initOtpAuth } from './init-otp-auth.ts'
import { otpAuth } from './otp-auth.ts'
import { otpLogin } from './otp-login.ts'
import { verifyOtp } from './verify-otp.ts'

export { initOtp, initOtpAuth, otpAuth, otpLogin, verifyOtp }

export const otpResource = resource({
  name: 'one-time-codes',
  states: [],
  operations: [initOtp, verifyOtp, otpLogin, initOtpAuth, otpAuth],
})
