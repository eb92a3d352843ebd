/**
 * The public keys of the auth proxy of the deployment, on P-256, as compressed lower-case hex: by which it signs its own questions, and to which the
 * keys are encrypted that it gets. Operations name them as the port `authProxy`; without them, nobody can enable it.
 */
export type AuthProxyKeys = { readonly signingPublicKey: string; readonly openingPublicKey: string }
