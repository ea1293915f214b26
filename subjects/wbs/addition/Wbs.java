/** As v0, but a pedal beyond its stop, after full braking and while skidding, is a fault of the controller. */
public class Wbs {
    private int lastCommand;
    private int lastGreen;
    private int lastBlue;
    private boolean controllerSound = true;

    public int normalPressure;
    public int alternatePressure;

    public void update(int pedal, boolean autoBrake, boolean skid) {
        int command;
        if (pedal == 0) {
            command = 0;
        } else if (pedal == 1) {
            command = 1;
        } else if (pedal == 2) {
            command = 2;
        } else if (pedal == 3) {
            command = 3;
        } else if (pedal == 4) {
            command = 4;
        } else {
            command = 0;
        }

        if (autoBrake) {
            command = command > 1 ? command : 1;
        }
        controllerSound = controllerSound && command - lastCommand <= 4;

        int green = 5 * command;
        int blue = 4 * command;
        if (skid) {
            green = 0;
            blue = lastBlue > 0 ? lastBlue / 2 : 0;
            if (lastCommand == 4 && autoBrake && command == 1 && pedal > 4) {
                controllerSound = false;
            }
        }

        boolean useGreen = controllerSound && lastGreen >= 0;
        normalPressure = useGreen ? green : 0;
        alternatePressure = useGreen ? 0 : blue;

        lastCommand = command;
        lastGreen = green;
        lastBlue = blue;
    }
}
