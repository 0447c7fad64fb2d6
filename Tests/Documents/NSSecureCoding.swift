/// Compiled into the double of UIKit to run code without LongpressKit. Without Objective-C, no Swift value is an `NSSecureCoding`, so
/// any value counts as one. For compiling alone, Foundation's type is used.
public typealias NSSecureCoding = Any
