/// Stands in for the product's file of this name: a machine whose figures never differ.
enum Machine {
    static var residentBytes: Int { 64 << 20 }
    static var openDescriptors: Int { 64 }
    static var descriptorLimit: Int { 1 << 20 }
    static var hardDescriptorLimit: Int { 1 << 20 }
    static var kernel: String { "simulated" }
    static func freeBytes(at path: String) -> Int? { 1 << 40 }
    static func file(at path: String) -> (bytes: Int, changedAt: Int)? { nil }
    static func memoryLimit(root: String = "") -> Int? { nil }
}
