import { anApi } from '#test/an-api.ts'
import { builtInKindsContract } from './built-in-kinds-contract.ts'

builtInKindsContract({ name: 'embedded API', start: () => anApi() })
