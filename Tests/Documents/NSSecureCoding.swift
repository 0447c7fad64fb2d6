/// Compiled into the double of UIKit to run what stands without LongpressClient: without Objective-C no Swift value is an
/// `NSSecureCoding`, so any value is one. To compile, Foundation's type stands.
public typealias NSSecureCoding = Any
