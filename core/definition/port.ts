declare const service: unique symbol

/**
 * Stands for a service that the work of an operation needs: a payment service, a mailer. The host gives the service itself to
 * `createEngine`, by the name of the port. An audit needs no services but those that `inspect` asks.
 */
export type Port<S = unknown> = { readonly [service]?: S }

/**
 * A port, with the type of its service.
 *
 * @example
 * needs: { payments: port<PaymentService>() }
 */
export const port = <S>(): Port<S> => ({})

/** The ports that some work needs, by name. */
export type Needs = { readonly [name: string]: Port }

/** The services behind ports, by name. */
export type Services<N extends Needs = Needs> = {
  readonly [name in keyof N]: N[name] extends Port<infer S> ? S : never
}
