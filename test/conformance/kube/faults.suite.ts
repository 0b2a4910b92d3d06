import { realApi } from '#test/conformance/apis.ts'
import { faultsContract } from './faults-contract.ts'

faultsContract(realApi)
