/* The flags of the commands for the auth proxy. */
import { Option, type Command } from 'commander'
import { command, type Define } from './define-command.ts'
import { hostFlag, isDenied, logFlag, logLevelFlag, metricsFlag, portFlag, trustedProxyFlag } from './flags.ts'
import type { ProxyOptions } from './proxy.ts'
import type { ProxyInitOptions } from './proxy-init.ts'
import { unusable } from './stop.ts'

export const proxy: Define = (program, ends) => {
  const group = command(
    program,
    'proxy',
    'Signs users up and in for apps without a backend: it asks the API of a server, by one narrow key of each organization.',
    'proxy --api http://127.0.0.1:8080 --config data/proxy.json --port 8090',
  )
  for (const flag of flags()) group.addOption(flag)
  group.action(async (options: ProxyOptions, given: Command) => {
    if (given.getOptionValueSource('captchaSecret') === 'cli' && options.captchaSecret?.startsWith('@') !== true)
      throw unusable(
        '--captcha-secret: expected @FILE, because other users of the machine can read the arguments of a process',
      )
    const metrics = options.metrics && !isDenied(given, 'metrics', 'COUNTERSIGN_METRICS')
    const requireOrigin = options.requireOrigin && !isDenied(given, 'requireOrigin', 'COUNTERSIGN_REQUIRE_ORIGIN')
    ends(await (await import('./proxy.ts')).proxy({ ...options, metrics, requireOrigin }))
  })
  init(group, ends)
}

const flags = (): readonly Option[] => [
  new Option('--api <url>', 'the server whose API is asked').env('COUNTERSIGN_API'),
  new Option('--config <file>', 'the keys that proxy init has written').env('COUNTERSIGN_PROXY_CONFIG'),
  hostFlag('the address to listen on'),
  portFlag('the port to listen on; 0 picks a free one').default(8090).env('COUNTERSIGN_PROXY_PORT'),
  trustedProxyFlag(),
  new Option('--require-origin', 'refuse callers without an Origin; apps of phones send none')
    .default(false)
    .env('COUNTERSIGN_REQUIRE_ORIGIN'),
  new Option(
    '--captcha <url>',
    'what examines captchas, as Turnstile and reCAPTCHA do, where a configuration wants them',
  ).env('COUNTERSIGN_CAPTCHA'),
  new Option(
    '--captcha-secret <file>',
    'the secret of that service: @FILE; in the variable also the secret itself',
  ).env('COUNTERSIGN_CAPTCHA_SECRET'),
  new Option('--captcha-site-key <key>', 'by which pages show the captcha').env('COUNTERSIGN_CAPTCHA_SITE_KEY'),
  logLevelFlag(),
  logFlag(),
  metricsFlag(),
]

const init: Define = (group, ends) =>
  command(
    group,
    'init',
    'Makes the keys of an auth proxy, in a file that only its owner can read; and beside it, in a file that ends with .pub.json, the public halves.',
    'proxy init --out data/proxy.json',
  )
    .requiredOption('--out <file>', 'where to write the keys')
    .action(async (options: ProxyInitOptions) => ends(await (await import('./proxy-init.ts')).proxyInit(options)))
