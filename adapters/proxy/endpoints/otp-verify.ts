import * as t from '../../../core/codec/t.ts'
import { PublicKey } from '../../../core/resources/api-key/api-key-params.ts'
import { EncryptedBundle } from '../../../core/resources/bundle/bundle.ts'
import { OtpCode, OtpId } from '../../../core/resources/otp/verify-otp.ts'
import type { Endpoint } from '../endpoint.ts'
import { present, secondsOf } from './wire.ts'

const Plain = t.fields({ otpId: OtpId, otpCode: OtpCode }, { publicKey: PublicKey })
const Encrypted = t.fields({ otpId: OtpId, encryptedOtpBundle: EncryptedBundle })

/** Takes a code, and gives a token for its contact. */
const verifies = <A extends { readonly [member: string]: string | undefined }>(
  path: string,
  request: t.Type<A, unknown, unknown>,
  type: string,
): Endpoint<A> => ({
  path,
  request,
  answer: (given, { config, submit }) => {
    const { organizationId, verificationTokenExpirationSeconds: seconds } = config
    const parameters = present({ ...given, expirationSeconds: secondsOf(seconds) })
    return submit({ type, path: 'verify_otp', organizationId, parameters, resultName: 'verifyOtpResult' })
  },
})

/** The proxy sees this code, and whoever runs the proxy could use it before its owner does. */
export const otpVerify = verifies('/v1/otp_verify', Plain, 'ACTIVITY_TYPE_VERIFY_OTP')

/** The code comes encrypted to the engine, together with the key for which the token is to be. */
export const otpVerifyV2 = verifies('/v1/otp_verify_v2', Encrypted, 'ACTIVITY_TYPE_VERIFY_OTP_V2')
