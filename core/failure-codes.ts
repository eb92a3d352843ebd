/** A code of a failure, on the wire. */
export type FailureRow = {
  /** The HTTP status. 5xx is for failures that the caller cannot correct; clients repeat such requests. */
  readonly http: number
  /** gRPC's number. The HTTP status follows from it by the standard map, but for a request that is too large. */
  readonly grpc: number
  /** The code of the public API; if it has none for the case, the code of the category. */
  readonly wire: string
  /** The meaning, for people. */
  readonly text: string
  /** If the failure may disappear soon: how long to wait. A limit on resources is not such a failure: waiting does not help. */
  readonly retryAfterSeconds: number | undefined
}

const row = (http: number, grpc: number, wire: string, text: string, retryAfterSeconds?: number): FailureRow => ({
  http,
  grpc,
  wire,
  text,
  retryAfterSeconds,
})

/** Every code of Countersign. Codes are API: hosts may switch on them. Messages are for people and may change. */
export const failureCodes = {
  REQUEST_INVALID: row(400, 3, 'REQUEST_INVALID', 'The request is malformed, or a parameter is missing or invalid.'),
  REQUEST_TOO_LARGE: row(
    413,
    3,
    'REQUEST_INVALID',
    'The body, a header or a nesting is larger than the configured limit.',
  ),
  UNSUPPORTED: row(
    400,
    3,
    'REQUEST_INVALID',
    'The request names something of the public API that this version does not offer.',
  ),
  INVALID_EMAIL: row(400, 3, 'INVALID_EMAIL', 'A contact is no e-mail address.'),
  EMAIL_SENDING_DISABLED: row(
    400,
    9,
    'EMAIL_SENDING_DISABLED',
    'The server sends no such messages, or the organization does not let them be sent.',
  ),
  INVALID_ORGANIZATION_ID: row(400, 3, 'INVALID_ORGANIZATION_ID', 'The organization id is not a UUID.'),
  ORGANIZATION_NOT_FOUND: row(404, 5, 'ORGANIZATION_NOT_FOUND', 'No organization has this id.'),
  SIGNATURE_MISSING: row(401, 16, 'SIGNATURE_MISSING', 'The request carries no stamp.'),
  UNAUTHENTICATED: row(
    401,
    16,
    'UNAUTHENTICATED',
    'The stamp cannot be read, or nobody signs in with this identity token.',
  ),
  SIGNATURE_INVALID: row(401, 16, 'SIGNATURE_INVALID', 'The signature does not fit the body and the key.'),
  PUBLIC_KEY_NOT_FOUND: row(401, 16, 'PUBLIC_KEY_NOT_FOUND', 'No credential of the organization has this public key.'),
  CREDENTIAL_NOT_FOUND: row(401, 16, 'CREDENTIAL_NOT_FOUND', 'No passkey of the organization has this id.'),
  API_KEY_EXPIRED: row(401, 16, 'API_KEY_EXPIRED', "The credential's lifetime is over."),
  REQUEST_NOT_AUTHORIZED: row(
    403,
    7,
    'REQUEST_NOT_AUTHORIZED',
    'The caller may not do this: denied by policy, not eligible to vote, or not let in from this address.',
  ),
  INVALID_ACTIVITY_CALLER: row(
    403,
    7,
    'INVALID_ACTIVITY_CALLER',
    'The activity is not for this organization: it is for one without a parent, or for one below another.',
  ),
  ORGANIZATION_MISMATCH: row(
    400,
    3,
    'ORGANIZATION_MISMATCH',
    'The caller is a user of the parent, who may read the organization below, and not write to it.',
  ),
  CREDENTIAL_CONFLICT: row(
    401,
    16,
    'CREDENTIAL_CONFLICT',
    'The credential belongs to several organizations below this one: name one of them.',
  ),
  ACTIVITY_NOT_FOUND: row(404, 5, 'REQUEST_INVALID', 'No activity has this id or fingerprint.'),
  RESOURCE_NOT_FOUND: row(
    404,
    5,
    'REQUEST_INVALID',
    'A user, tag, key or policy that the request names does not exist.',
  ),
  ALREADY_EXISTS: row(409, 6, 'REQUEST_INVALID', 'There is one already, such as an account with this path and format.'),
  KEY_MISSING: row(
    400,
    9,
    'KEY_MISSING',
    'The secret of the wallet or private key is gone, so it cannot sign any more.',
  ),
  WALLET_ACCOUNT_NOT_EXPORTED: row(
    400,
    9,
    'WALLET_ACCOUNT_NOT_EXPORTED',
    'What is to be deleted was never exported, and the request does not say that it may go without.',
  ),
  INVALID_TRANSACTION: row(
    400,
    3,
    'INVALID_TRANSACTION',
    'The transaction cannot be read, or would be written in another way.',
  ),
  UNSUPPORTED_TRANSACTION_TYPE: row(
    400,
    3,
    'UNSUPPORTED_TRANSACTION_TYPE',
    'The transaction has a form that is not signed here.',
  ),
  OAUTH2_CREDENTIAL_NOT_FOUND: row(
    404,
    5,
    'OAUTH2_CREDENTIAL_NOT_FOUND',
    'No OAuth2 credential of the organization has this id.',
  ),
  OAUTH2_PROVIDER_NOT_FOUND: row(
    404,
    5,
    'OAUTH2_PROVIDER_NOT_FOUND',
    'The provider of an OAuth2 credential is none that this server asks.',
  ),
  INVALID_OAUTH2_PROVIDER: row(400, 3, 'INVALID_OAUTH2_PROVIDER', 'The provider is none of those that there are.'),
  OAUTH2_PROVIDER_NOT_CONFIGURED: row(
    400,
    9,
    'OAUTH2_PROVIDER_NOT_CONFIGURED',
    'The server issues no identity tokens: it does not know its public URL.',
  ),
  INVALID_OIDC_TOKEN: row(
    400,
    3,
    'INVALID_OIDC_TOKEN',
    'The identity token is none, its issuer has not signed it, it is not for this key, or it does not hold now.',
  ),
  OAUTH_PROVIDER_ALREADY_EXISTS: row(
    409,
    6,
    'OAUTH_PROVIDER_ALREADY_EXISTS',
    'A user of the organization has a provider with this issuer, audience and subject.',
  ),
  ROUTE_NOT_FOUND: row(404, 5, 'REQUEST_INVALID', 'The route does not exist.'),
  RESOURCE_EXHAUSTED: row(
    429,
    8,
    'RATE_LIMIT_EXCEEDED',
    'A limit on the number of resources, or of denials in a day, is reached.',
  ),
  MAX_OTP_INITIATED: row(
    429,
    8,
    'MAX_OTP_INITIATED',
    'Too many codes were sent to the contact, or for the identifier; wait.',
  ),
  RATE_LIMIT_EXCEEDED: row(429, 8, 'RATE_LIMIT_EXCEEDED', 'Too many requests at once; try again.', 1),
  CONFLICT: row(409, 10, 'INTERNAL', 'Another process kept changing the organization; try again.'),
  INTERRUPTED: row(
    409,
    10,
    'INTERNAL',
    'An effect was interrupted, and its operation says that it must not be repeated.',
  ),
  ABORTED: row(499, 1, 'INTERNAL', 'The caller took too long, or cancelled its request.'),
  ORGANIZATION_CLOSED: row(
    503,
    14,
    'INTERNAL',
    "The organization's log holds something that this version does not know: it takes no commands.",
    30,
  ),
  UNAVAILABLE: row(
    503,
    14,
    'INTERNAL',
    'The store or a service behind it does not answer now; the outcome may be unknown.',
    1,
  ),
  STORE_LOCKED: row(503, 14, 'INTERNAL', 'Another process holds the store for writing.', 1),
  STORE_UNREADABLE: row(500, 13, 'INTERNAL', 'The store, or a file, cannot be read as what it should be.'),
  CONFIGURATION_INVALID: row(500, 13, 'INTERNAL', "An option, a flag or an operation's definition is wrong."),
  INTERNAL: row(500, 13, 'INTERNAL', "A bug of ours, or of the host's code."),
} as const

export type FailureCode = keyof typeof failureCodes
