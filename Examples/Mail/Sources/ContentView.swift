import SwiftUI

struct ContentView: View {
    /// Where the last quick action led.
    let opened: String?

    var body: some View {
        Text(opened ?? "Inbox")
    }
}
