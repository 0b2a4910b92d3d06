import { quote } from '#machineconfig/quote.ts'
import {
  isOn,
  itemsAt,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
} from '#machineconfig/validate/checks/fields.ts'

const DISK_TYPES = ['', 'nvme', 'sd', 'hdd', 'ssd']

/** What a machine needs that Talos is to be installed on. */
export function* installProblems(install: Section): Generator<string> {
  if (!install) {
    yield 'install instructions are required in "metal" mode'
    return
  }
  const selector = sectionAt(install, 'diskSelector')
  const problem = selectorProblem(selector)
  if (problem) yield `install disk selector is invalid: ${problem}`
  if (textAt(install, 'disk') === '' && (!selector || problem)) {
    yield 'either install disk or diskSelector should be defined'
  }
  if (itemsAt(install, 'extraKernelArgs').length > 0 && isOn(install, 'grubUseUKICmdline')) {
    yield "install.extraKernelArgs and install.grubUseUKICmdline can't be used together"
  }
}

function selectorProblem(selector: Section): string | undefined {
  if (textAt(selector, 'name') !== '') return 'selector on name is not supported'
  const type = textAt(selector, 'type')
  return DISK_TYPES.includes(type) ? undefined : `unsupported disk type ${quote(type)}`
}

/** System extensions that are listed twice. */
export function* extensionProblems(install: Section): Generator<string> {
  const seen = new Set<string>()
  for (const extension of sectionsAt(install, 'extensions')) {
    const image = textAt(extension, 'image')
    if (seen.has(image)) yield `duplicate system extension ${quote(image)}`
    seen.add(image)
  }
}

/** Warns that extensions come with the installer's image these days. */
export function* extensionWarnings(install: Section): Generator<string> {
  if (itemsAt(install, 'extensions').length > 0) {
    yield '.machine.install.extensions is deprecated, please see https://docs.siderolabs.com/talos/latest/platform-specific-installations/boot-assets'
  }
}
