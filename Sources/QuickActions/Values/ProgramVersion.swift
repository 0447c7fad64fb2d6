/// The version of Longpress: of the service, and of the command.
package let programVersion = "0.2.0"
