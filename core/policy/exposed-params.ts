import type { Json } from '../failure.ts'

type Params = Readonly<Record<string, Json | undefined>>

/**
 * The parameters that policies may ask for: of the public API's activities those of the table, of all others what their
 * operation hands over. Any other parameter is missing, and a policy that asks for it errs.
 */
export const exposedParams = (type: string, params: Params): Params => {
  const fields = exposed.get(type)
  if (fields === undefined) return params
  const seen: Record<string, Json | undefined> = {}
  for (const [name, omitted] of Object.entries(fields)) {
    seen[name] = (Object.hasOwn(params, name) ? params[name] : undefined) ?? omitted
  }
  return seen
}

// By type: the parameter's name, and what stands for it where the request omits it (undefined: nothing does).
const sameFor = (types: readonly string[], params: Params) => types.map((type) => [type, params] as const)

const exposed: ReadonlyMap<string, Params> = new Map([
  ...sameFor(
    ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS'],
    { hash_function: undefined, encoding: undefined },
  ),
  ...sameFor(['ACTIVITY_TYPE_SIGN_TRANSACTION', 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2'], { type: undefined }),
  ...sameFor(['ACTIVITY_TYPE_DELETE_USERS'], { user_ids: undefined }),
  ...sameFor(['ACTIVITY_TYPE_CREATE_API_KEYS', 'ACTIVITY_TYPE_CREATE_API_KEYS_V2'], { user_id: undefined }),
  ...sameFor(['ACTIVITY_TYPE_DELETE_API_KEYS'], { user_id: undefined, api_key_ids: undefined }),
  ...sameFor(
    ['ACTIVITY_TYPE_EXPORT_WALLET', 'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT', 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY'],
    { target_public_key: undefined },
  ),
  ...sameFor(['ACTIVITY_TYPE_UPDATE_WALLET'], { wallet_id: undefined }),
  ...sameFor(['ACTIVITY_TYPE_INIT_OTP_AUTH_V2', 'ACTIVITY_TYPE_INIT_OTP_AUTH_V3'], { otp_length: undefined }),
  ...sameFor(
    ['ACTIVITY_TYPE_OTP_LOGIN', 'ACTIVITY_TYPE_OTP_LOGIN_V2', 'ACTIVITY_TYPE_STAMP_LOGIN', 'ACTIVITY_TYPE_OAUTH_LOGIN'],
    { session_profile_id: '' },
  ),
  ...sameFor(['ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', 'ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT'], {
    endpoint_id: undefined,
  }),
])
