import { realApi } from '#test/conformance/apis.ts'
import { builtInKindsContract } from './built-in-kinds-contract.ts'

builtInKindsContract(realApi)
